from apps.accounts.api.activity import AuditLogViewSet
from apps.accounts.api.members import MembersViewSet
from apps.accounts.api.views import InvitationsViewSet, MeViewSet
from apps.core.api.routers import ResourceRouter

router = ResourceRouter()
router.register("me", MeViewSet, basename="me")
router.register("members", MembersViewSet, basename="members")
router.register("invitations", InvitationsViewSet, basename="invitations")
router.register("audit-log", AuditLogViewSet, basename="audit_log")

urlpatterns = router.urls
