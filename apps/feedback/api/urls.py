from apps.core.api.routers import ResourceRouter
from apps.feedback.api.views import FeedbackViewSet, RateAnswerViewSet

router = ResourceRouter()
router.register("rate-answer", RateAnswerViewSet, basename="rate_answer")
router.register("feedback", FeedbackViewSet, basename="feedback")

urlpatterns = router.urls
