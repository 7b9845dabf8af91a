from apps.core.api.routers import ResourceRouter
from apps.datasources.api.join_views import JoinsViewSet
from apps.datasources.api.privacy import PrivacyViewSet
from apps.datasources.api.views import DictionaryViewSet, ExplanationViewSet, FilesViewSet

router = ResourceRouter()
router.register("files", FilesViewSet, basename="files")
router.register("files/dictionary", DictionaryViewSet, basename="file_dictionary")
router.register("files/dictionary/joins", JoinsViewSet, basename="file_joins")
router.register("files/dictionary/privacy", PrivacyViewSet, basename="file_privacy")
router.register("explanation", ExplanationViewSet, basename="explanation")

urlpatterns = router.urls
