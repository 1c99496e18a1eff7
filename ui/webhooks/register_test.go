package webhooks

import (
	"testing"

	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/theme"
)

func TestLabelsHaveRoomInEveryLanguage(t *testing.T) {
	dialogtest.FitLabels(t, func(th *theme.Theme) *dialog.Form { return NewWebhook(th, dialogtest.Store(t)).form })
}
