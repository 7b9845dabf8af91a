"""Language models as an approach: they make plans, never figures. `layer` alone knows the library that reaches them."""
