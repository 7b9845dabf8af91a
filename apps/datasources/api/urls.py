from apps.core.api.routers import ResourceRouter
from apps.datasources.api.views import DictionaryViewSet, ExplanationViewSet, FilesViewSet

router = ResourceRouter()
router.register("files", FilesViewSet, basename="files")
router.register("files/dictionary", DictionaryViewSet, basename="file_dictionary")
router.register("explanation", ExplanationViewSet, basename="explanation")

urlpatterns = router.urls
