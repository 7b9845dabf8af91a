"""Google Sheets: members connect tabs of spreadsheets they picked; each becomes a source of the organization."""
