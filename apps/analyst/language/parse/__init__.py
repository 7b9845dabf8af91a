"""From items to a sketch: each module reads one kind of phrase, marks what it used, and never builds plans."""
