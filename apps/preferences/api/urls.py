from apps.core.api.routers import ResourceRouter
from apps.preferences.api.views import PreferencesViewSet

router = ResourceRouter()
router.register("preferences", PreferencesViewSet, basename="preferences")

urlpatterns = router.urls
