"""HubSpot: the CRM whose objects become files that people ask about."""
