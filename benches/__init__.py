"""Measurements: ratios inside one run, medians. `make bench` prints them all; `python -m benches NAME` prints one."""
