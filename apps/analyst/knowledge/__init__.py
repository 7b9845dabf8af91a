"""What every analyst knows, as data: the names, verbs, adjectives, states, codes and derived figures of each trade."""
