"""The members of an organization, for its admins."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member
from apps.accounts.services.roster import member_change, roster
from apps.core.api.parameters import valid_body

ROLES = ["basic", "admin"]


class MemberSerializer(serializers.Serializer):
    """A member as an admin sees them."""

    id = serializers.UUIDField()
    username = serializers.CharField()
    name = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    role = serializers.ChoiceField(choices=[*ROLES, "staff"])
    active = serializers.BooleanField()
    last_seen = serializers.DateTimeField(allow_null=True)
    you = serializers.BooleanField()


class OpenInvitationSerializer(serializers.Serializer):
    """An invitation that nobody has accepted."""

    id = serializers.UUIDField()
    email = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    expires_at = serializers.DateTimeField()
    expired = serializers.BooleanField()


class RosterSerializer(serializers.Serializer):
    """Who is in an organization, and who is asked in."""

    members = MemberSerializer(many=True)
    invitations = OpenInvitationSerializer(many=True)


class MemberChangeSerializer(serializers.Serializer):
    """What becomes of a member; what is left out stays."""

    id = serializers.UUIDField(source="pk")
    role = serializers.ChoiceField(choices=ROLES, required=False)
    active = serializers.BooleanField(required=False)


class MembersViewSet(ViewSet):
    """The members and open invitations of the caller's organization."""

    @extend_schema(responses=RosterSerializer)
    def retrieve(self, request: Request) -> Response:
        """GET: all of them."""
        return Response(roster(by=member(request)))

    @extend_schema(request=MemberChangeSerializer, responses=RosterSerializer)
    def update(self, request: Request) -> Response:
        """PUT: another role for a member, or no account any more, or one again."""
        member_change(by=member(request), **valid_body(MemberChangeSerializer, request))
        return Response(roster(by=member(request)))
