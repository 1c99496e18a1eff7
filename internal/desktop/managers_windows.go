package desktop

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// history is what Windows itself calls its clipboard manager.
const history = "the clipboard history of Windows"

// Managers names the clipboard managers that run, that of Windows among them
// when it is on; none where the user sits at another machine.
func Managers(ctx context.Context, env func(string) string) []string {
	if remote(env) {
		return nil
	}
	names := processes(ctx)
	if key, err := registry.OpenKey(registry.CURRENT_USER, `Software\Microsoft\Clipboard`, registry.QUERY_VALUE); err == nil {
		if on, _, err := key.GetIntegerValue("EnableClipboardHistory"); err == nil && on != 0 {
			names = append(names, history)
		}
		_ = key.Close() // It was only read.
	}
	return unique(names)
}

// processes names the clipboard managers among the processes.
func processes(ctx context.Context) []string {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = windows.CloseHandle(all) }() // It was only read.
	var names []string
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err := windows.Process32First(all, &entry); err == nil && ctx.Err() == nil; err = windows.Process32Next(all, &entry) {
		if name := manager(windows.UTF16ToString(entry.ExeFile[:]), func() []string { return nil }); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// managers are the programs that store what is copied, by the names
// of their processes in lower case.
func managers() map[string]string {
	return map[string]string{
		"ditto.exe": "Ditto", "copyq.exe": "CopyQ", "clipclip.exe": "ClipClip", "clipboardfusion.exe": "ClipboardFusion", "1clipboard.exe": "1Clipboard",
	}
}

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
