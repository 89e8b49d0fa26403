package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.Platform.BackgroundWork;
import io.bloomgate.gateway.testkit.LogLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The thread that refreshes feeds gives way to those that carry mail. */
class BackgroundWorkTest {

  @Test
  @EnabledOnOs(OS.LINUX)
  void itsThreadIsLoweredAndNoOther() throws Exception {
    int before = niceness();
    AtomicInteger during = new AtomicInteger();
    Thread thread = Thread.ofPlatform().start(new BackgroundWork(() -> during.set(niceness())));
    thread.join();
    assertEquals(BackgroundWork.NICENESS, during.get());
    assertEquals(before, niceness());
  }

  @Test
  void anErrorThatEndsItIsLogged() throws Exception {
    try (LogLines log = new LogLines(BackgroundWork.class)) {
      Runnable broken =
          () -> {
            throw new ExceptionInInitializerError("no such class");
          };
      Thread thread = Thread.ofPlatform().name("lists").start(new BackgroundWork(broken));
      thread.join();
      assertEquals(List.of("ERROR lists ended unexpectedly"), log.warnings());
    }
  }

  /** Field 19 of proc_pid_stat(5), of the calling thread; the second is a name in parentheses. */
  private static int niceness() {
    try {
      String stat = Files.readString(Path.of("/proc/thread-self/stat"));
      return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
