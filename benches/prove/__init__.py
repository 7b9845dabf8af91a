"""The twenty-eight reliability goals R1 to R28, measured: `make prove`, with ONLY=R3,R8 and SCALE=0.1 for a short run.

Benches and tests are the measuring devices; here stand the goals' sizes and aims, and what counts as met. Nothing is
said to be met that was not measured, at the size and in all the parts that the goal names.
"""
