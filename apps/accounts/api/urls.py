from apps.accounts.api.views import InvitationsViewSet, MeViewSet
from apps.core.api.routers import ResourceRouter

router = ResourceRouter()
router.register("me", MeViewSet, basename="me")
router.register("invitations", InvitationsViewSet, basename="invitations")

urlpatterns = router.urls
