"""Stand-ins for outside services: for tests, benches and `make run-with-fakes`. Nothing of the product imports them."""
