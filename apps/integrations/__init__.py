"""Outside services that bring data or carry questions: how they are connected, kept signed in and let go."""
