"""What a member prefers, and what an organization tells about itself: keywords and context texts."""
