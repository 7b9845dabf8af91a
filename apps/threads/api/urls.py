from apps.core.api.routers import ResourceRouter
from apps.threads.api.brought import BroughtViewSet
from apps.threads.api.exports import AnswersViewSet
from apps.threads.api.history import ThreadsViewSet
from apps.threads.api.model_policy import AnswerToldViewSet, ModelPolicyViewSet
from apps.threads.api.own_models import OwnModelsViewSet
from apps.threads.api.previews import QuestionPreviewsViewSet
from apps.threads.api.readings import ReadingsViewSet
from apps.threads.api.usage import UsageViewSet
from apps.threads.api.views import (
    AskViewSet,
    ModelsViewSet,
    QuestionSuggestionsViewSet,
    RunsViewSet,
    SocketTicketViewSet,
)

router = ResourceRouter()
router.register("ask", AskViewSet, basename="ask")
router.register("threads", ThreadsViewSet, basename="threads")
router.register("runs", RunsViewSet, basename="run")
router.register("answers", AnswersViewSet, basename="answer")
router.register("answers/readings", ReadingsViewSet, basename="answer_readings")
router.register("answers/told", AnswerToldViewSet, basename="answer_told")
router.register("socket-ticket", SocketTicketViewSet, basename="socket_ticket")
router.register("models", ModelsViewSet, basename="models")
router.register("models/own", OwnModelsViewSet, basename="own_models")
router.register("models/policy", ModelPolicyViewSet, basename="model_policy")
router.register("question-previews", QuestionPreviewsViewSet, basename="question_previews")
router.register("question-suggestions", QuestionSuggestionsViewSet, basename="question_suggestions")
router.register("question-suggestions/brought", BroughtViewSet, basename="brought_files")
router.register("usage", UsageViewSet, basename="usage")

urlpatterns = router.urls
