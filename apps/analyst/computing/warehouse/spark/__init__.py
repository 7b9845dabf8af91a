"""The warehouse on Apache Spark, for data beyond one machine: the same port, the same files, the same figures."""
