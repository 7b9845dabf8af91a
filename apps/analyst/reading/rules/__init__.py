"""Rules for whole kinds of questions by their wording: about the data itself, comparisons, contrasts, fiscal years."""
