"""Sign-in on allauth headless: one module a concern. They must not import each other's classes at random: allauth loads
the adapter, the stages and the token strategy by name at different times, and a shared module would be a circle."""
