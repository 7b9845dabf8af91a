"""What people say about the product and its answers."""
