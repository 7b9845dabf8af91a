"""Whole ways to answer a question: a planner with an executor and a narrator."""
