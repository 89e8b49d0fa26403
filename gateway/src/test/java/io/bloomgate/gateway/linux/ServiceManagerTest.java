package io.bloomgate.gateway.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What arrives at a real datagram socket. */
@EnabledOnOs(OS.LINUX)
final class ServiceManagerTest {

  private static final long PID = 4121;

  @TempDir private Path directory;
  private long nanos;

  private ServiceManager manager(Map<String, String> environment) {
    return new ServiceManager(environment, () -> nanos, PID);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void startReloadAndEndArriveInTheWordsOfSdNotify() throws Throwable {
    String path = directory.resolve("notify").toString();
    try (DatagramSocket systemd = new DatagramSocket(path)) {
      ServiceManager manager = manager(Map.of("NOTIFY_SOCKET", path));
      manager.ready();
      assertEquals("READY=1", systemd.next());
      nanos = 7_654_321;
      manager.reloading();
      String[] lines = systemd.next().split("\n", -1);
      assertEquals("RELOADING=1", lines[0]);
      assertEquals("MONOTONIC_USEC=7654", lines[1]);
      manager.stopping();
      assertEquals("STOPPING=1", systemd.next());
    }
  }

  @Test
  void abstractNamesAreReached() throws Throwable {
    String name = "@bloomgate-test-" + ProcessHandle.current().pid();
    try (DatagramSocket systemd = new DatagramSocket(name)) {
      manager(Map.of("NOTIFY_SOCKET", name)).ready();
      assertEquals("READY=1", systemd.next());
    }
  }

  @Test
  void theWatchdogHearsOfUsThriceInItsTimeAndTheStatusOnlyWhenItChanges() throws Throwable {
    String path = directory.resolve("notify").toString();
    try (DatagramSocket systemd = new DatagramSocket(path)) {
      ServiceManager manager =
          manager(
              Map.of("NOTIFY_SOCKET", path, "WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "4121"));
      manager.tick(() -> "enforce");
      assertEquals("WATCHDOG=1", systemd.next());
      assertEquals("STATUS=enforce", systemd.next());
      pass(Duration.ofSeconds(9));
      manager.tick(() -> "observe");
      pass(Duration.ofSeconds(1));
      manager.tick(() -> "enforce");
      assertEquals("WATCHDOG=1", systemd.next());
      pass(Duration.ofSeconds(10));
      manager.tick(() -> "observe");
      assertEquals("WATCHDOG=1", systemd.next());
      assertEquals("STATUS=observe", systemd.next());
    }
  }

  @Test
  void aWatchdogOfAnotherProcessIsLeftToIt() throws Throwable {
    String path = directory.resolve("notify").toString();
    try (DatagramSocket systemd = new DatagramSocket(path)) {
      ServiceManager manager =
          manager(Map.of("NOTIFY_SOCKET", path, "WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "1"));
      manager.tick(() -> "enforce");
      assertEquals("STATUS=enforce", systemd.next());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "relative", "/nobody/listens/here", "vsock:2:1234"})
  void nobodyToTellHindersNothing(String address) {
    ServiceManager manager = manager(Map.of("NOTIFY_SOCKET", address, "WATCHDOG_USEC", "soon"));
    manager.ready();
    manager.reloading();
    manager.tick(() -> "enforce");
    manager.stopping();
  }
}
