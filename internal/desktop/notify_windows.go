package desktop

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// lineVariable holds the line for the script, which reads it as text and never
// as a part of itself.
const lineVariable = "CARDTOP_NOTIFICATION"

// script shows a toast in the name of PowerShell: a program without an installed
// shortcut has no name of its own.
const script = `$ErrorActionPreference = 'Stop'
$kind = [Windows.UI.Notifications.ToastTemplateType, Windows.UI.Notifications, ContentType = WindowsRuntime]::ToastText02
$manager = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$xml = $manager::GetTemplateContent($kind)
$texts = $xml.GetElementsByTagName('text')
$null = $texts.Item(0).AppendChild($xml.CreateTextNode('` + title + `'))
$null = $texts.Item(1).AppendChild($xml.CreateTextNode($env:` + lineVariable + `))
$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe'
$manager::CreateToastNotifier($app).Show([Windows.UI.Notifications.ToastNotification]::new($xml))`

// Notifier returns what shows a line on the desktop; nil where the user sits at
// another machine.
func Notifier(env func(string) string) func(ctx context.Context, line string) error {
	if remote(env) {
		return nil
	}
	return func(ctx context.Context, line string) error {
		cmd := exec.CommandContext(ctx, "powershell.exe", "-NoProfile", "-NonInteractive", "-Command", "-")
		cmd.Stdin = strings.NewReader(script + "\n")
		cmd.Env = append(environ(env), lineVariable+"="+line)
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("show notification: %w", err)
		}
		return nil
	}
}

// environ is what PowerShell needs to start.
func environ(env func(string) string) []string {
	var out []string
	for _, name := range []string{"SYSTEMROOT", "WINDIR", "PATH", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "COMSPEC"} {
		if v := env(name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return out
}
