package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.file.FreeSpace;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.yaml.EffectiveValue.InForce;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * {@code config.effective} and {@code support}: what only the process itself knows. Nothing is
 * changed, and neither environment nor arguments of the process are shown, which may hold keys.
 * Called on the threads of control connections.
 */
record SupportHandler(GatewayControl gateway) {
  private static final int MOST_LINES = 100;

  void effective(ReplySender answer) {
    answer.items(
        gateway.valuesInForce().get().stream().map(InForce::of).map(JsonRecords::of).toList());
  }

  void support(ReplySender answer) {
    answer.item(process());
    answer.item(diagnosis("heap", "gcHeapInfo"));
    answer.item(diagnosis("thread", "threadPrint"));
    answer.item(lines("limits", Path.of("/proc/self/limits")));
    answer.item(lines("status", Path.of("/proc/self/status")));
    answer.item(disk());
    answer.item(
        JsonValue.object()
            .put("part", "log")
            .put("lines", JsonValue.ofStrings(gateway.recentLog().get()))
            .build());
  }

  private JsonObject process() {
    Runtime runtime = Runtime.getRuntime();
    return JsonValue.object()
        .put("part", "process")
        .put("version", gateway.version())
        .put("java", Runtime.version().toString())
        .put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"))
        .put("machine", System.getProperty("os.arch"))
        .put("processors", runtime.availableProcessors())
        .put("uptime_s", gateway.uptimeSeconds())
        .put("sessions", gateway.sessions().count())
        .put("open_files", openFiles())
        .build();
  }

  private static long openFiles() {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    } catch (IOException e) {
      return -1; // no Linux
    }
  }

  /** The words of a command of the virtual machine, as jcmd prints them. */
  private static JsonValue.ObjectBuilder diagnosis(String part, String command) {
    JsonValue.ObjectBuilder object = JsonValue.object().put("part", part);
    try {
      Object words =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  command,
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      // The module and its version before a class say nothing, and look like a mail address.
      String text = String.valueOf(words).replaceAll("[\\w.]+@[\\w.+-]+/", "");
      return object.put("lines", JsonValue.ofStrings(text.lines().toList()));
    } catch (JMException e) {
      return object.put("problem", Faults.words(e));
    }
  }

  private static JsonObject lines(String part, Path file) {
    JsonValue.ObjectBuilder object = JsonValue.object().put("part", part);
    try (Stream<String> lines = Files.lines(file)) {
      return object.put("lines", JsonValue.ofStrings(lines.limit(MOST_LINES).toList())).build();
    } catch (IOException e) {
      return object.put("problem", Faults.words(e)).build();
    }
  }

  private JsonObject disk() {
    return JsonValue.object()
        .put("part", "disk")
        .putAll(FreeSpace.json(gateway.settings().stateDir()))
        .build();
  }
}
