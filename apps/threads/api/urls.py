from django.urls import path

from apps.threads.api.views import AskView, CancelView, QuestionSuggestionsView, SocketTicketView

urlpatterns = [
    path("ask", AskView.as_view(), name="ask"),
    path("runs/<uuid:run_id>/cancel", CancelView.as_view(), name="run_cancel"),
    path("socket-ticket", SocketTicketView.as_view(), name="socket_ticket"),
    path("question-suggestions", QuestionSuggestionsView.as_view(), name="question_suggestions"),
]
