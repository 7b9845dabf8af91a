from django.urls import path

from apps.threads.api.exports import AnswerTableView
from apps.threads.api.views import AskView, CancelView, ModelsView, QuestionSuggestionsView, SocketTicketView

urlpatterns = [
    path("ask", AskView.as_view(), name="ask"),
    path("runs/<uuid:run_id>/cancel", CancelView.as_view(), name="run_cancel"),
    path("answers/table", AnswerTableView.as_view(), name="answer_table"),
    path("socket-ticket", SocketTicketView.as_view(), name="socket_ticket"),
    path("models", ModelsView.as_view(), name="models"),
    path("question-suggestions", QuestionSuggestionsView.as_view(), name="question_suggestions"),
]
