"""What people say to go on from an answer: parts of a short message, found in the data, put into the plan before."""
