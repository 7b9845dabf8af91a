"""What is told of a question's readings: of the likeliest as a judge weighed them, or of the rules' surest."""
