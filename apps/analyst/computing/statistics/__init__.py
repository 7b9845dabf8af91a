"""Statistics over data frames: `registry.run` computes one by name, `result.words` says it plainly."""
