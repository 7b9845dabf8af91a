"""The product's applications, and the engine."""

import os

# Before numpy is first imported. The reader's products of matrices are small: more threads than one make no question
# faster, and those of several workers hold each other up (sevenfold on two cores).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
