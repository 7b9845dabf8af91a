"""Conversations: threads of questions and answers, and the runs that answer them."""
