"""The demo organization: a made-up company with two years of CRM data up to today, so that there is something to ask.

Made by our own seeded generator: the same day gives the same bytes. `dataset` makes the files, `loading` puts them in.
"""
