"""Django's admin app with the product's own site. Loaded before any model: it must import none."""

from django.contrib.admin.apps import AdminConfig


class ProductAdminConfig(AdminConfig):
    """The admin whose rules stand in apps.accounts.site."""

    default_site = "apps.accounts.site.ProductAdminSite"
