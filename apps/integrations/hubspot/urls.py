from apps.core.api.routers import ResourceRouter
from apps.integrations.hubspot.api import DirectExportViewSet, FieldsViewSet, HubSpotViewSet

router = ResourceRouter()
router.register("hubspot", HubSpotViewSet, basename="hubspot")
router.register("hubspot/direct-export", DirectExportViewSet, basename="hubspot_direct_export")
router.register("hubspot/fields", FieldsViewSet, basename="hubspot_fields")

urlpatterns = router.urls
