package desktop

import (
	"context"
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
