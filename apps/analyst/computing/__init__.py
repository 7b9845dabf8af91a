"""From a plan to its figures: compiled, run, held against a second executor. No figure is made elsewhere."""
