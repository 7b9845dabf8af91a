"""Questions with a right and a wrong reading each, as SQL, over made-up tables of many trades."""
