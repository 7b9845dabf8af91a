"""The signed-in user's own data, and invitations."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.api.members import RosterSerializer
from apps.accounts.caller import member
from apps.accounts.policy import Action
from apps.accounts.selectors import invitation_view, profile
from apps.accounts.services.members import invitation_accept, member_invite
from apps.accounts.services.roster import INVITATION_GONE, invitation_end, invitation_resend, roster
from apps.core.api.parameters import id_parameter, valid_body


class ProfileSerializer(serializers.Serializer):
    """The signed-in user."""

    username = serializers.CharField()
    name = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    role = serializers.ChoiceField(choices=["basic", "admin", "staff"])
    organization = serializers.CharField(allow_blank=True)
    may = serializers.ListField(child=serializers.ChoiceField(choices=[each.name.lower() for each in Action]))


class InvitationSerializer(serializers.Serializer):
    """Whom to invite, and as what."""

    email = serializers.CharField(max_length=254)
    role = serializers.ChoiceField(choices=["basic", "admin"], default="basic")


class InvitedSerializer(serializers.Serializer):
    """An invitation as its admin sees it."""

    id = serializers.UUIDField()
    email = serializers.CharField()
    role = serializers.ChoiceField(choices=["basic", "admin"])
    expires_at = serializers.DateTimeField()


class AcceptanceSerializer(serializers.Serializer):
    """The invited person's answer. The key is the one of the link."""

    key = serializers.CharField(max_length=200)
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)
    privacy_accepted = serializers.BooleanField()


class InvitationIdSerializer(serializers.Serializer):
    """Which invitation."""

    id = serializers.UUIDField(source="pk")


class MeViewSet(ViewSet):
    """GET: who is signed in. Also answers those without an organization, so that the page can say so."""

    permission_classes = [IsAuthenticated]

    @extend_schema(responses=ProfileSerializer)
    def retrieve(self, request: Request) -> Response:
        return Response(profile(member(request)))


class InvitationsViewSet(ViewSet):
    """Invitations into the caller's organization, for its admins; who was invited accepts here."""

    @extend_schema(request=InvitationSerializer, responses={201: InvitedSerializer})
    def create(self, request: Request) -> Response:
        """POST: invites somebody by e-mail."""
        invitation = member_invite(actor=member(request), **valid_body(InvitationSerializer, request))
        return Response(invitation_view(invitation), status=201)

    @extend_schema(
        parameters=[OpenApiParameter("id", str, required=True)], request=None, responses={200: RosterSerializer}
    )
    def destroy(self, request: Request) -> Response:
        """DELETE: withdraws an open invitation; its link opens nothing any more."""
        invitation_end(by=member(request), pk=id_parameter(request, "id", absent=INVITATION_GONE))
        return Response(roster(by=member(request)))

    @extend_schema(request=InvitationIdSerializer, responses={200: RosterSerializer})
    @action(detail=False, methods=["post"], url_name="invitation_resend")
    def resend(self, request: Request) -> Response:
        """POST: sends an open invitation again, with a new link."""
        invitation_resend(by=member(request), **valid_body(InvitationIdSerializer, request))
        return Response(roster(by=member(request)))

    @extend_schema(request=AcceptanceSerializer, responses={201: ProfileSerializer})
    @action(
        detail=False,
        methods=["post"],
        url_name="invitation_accept",
        permission_classes=[AllowAny],
        authentication_classes=[],
    )
    def accept(self, request: Request) -> Response:
        """POST: the invited person chooses a user name and a password. Nobody is signed in by it."""
        return Response(profile(invitation_accept(**valid_body(AcceptanceSerializer, request))), status=201)
