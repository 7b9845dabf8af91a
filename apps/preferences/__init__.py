"""What a member prefers, and what an organisation tells about itself: keywords and context texts."""
