from django.urls import path

from apps.feedback.api.views import FeedbackView, RateAnswerView

urlpatterns = [
    path("rate-answer", RateAnswerView.as_view(), name="rate_answer"),
    path("feedback", FeedbackView.as_view(), name="feedback"),
]
