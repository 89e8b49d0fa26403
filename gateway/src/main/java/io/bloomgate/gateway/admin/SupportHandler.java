package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.file.FreeSpace;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.EffectiveValue;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code config.effective} and {@code support}: what only the process itself knows. Nothing is
 * changed, and neither environment nor arguments of the process are shown, which may hold keys.
 * Called on the threads of control connections.
 */
record SupportHandler(GatewayControl gateway) {
  private static final int MOST_THREADS = 200;
  private static final int MOST_FRAMES = 16;
  private static final int MOST_LINES = 100;

  void effective(ReplySender answer) {
    List<JsonObject> values = new ArrayList<>();
    for (EffectiveValue value : gateway.valuesInForce().get()) {
      JsonValue.ObjectBuilder object =
          JsonValue.object()
              .put("key", String.join(".", value.path()))
              .put("path", JsonValue.ofStrings(value.path()))
              .put("value", value.value())
              .put("origin", value.origin().toString())
              .put("changed", value.changed());
      if (value.origin() instanceof EffectiveValue.Origin.FileLine(String file, int _)) {
        object.put("file", Path.of(file).toAbsolutePath().toString());
      }
      values.add(object.build());
    }
    answer.items(values);
  }

  void support(ReplySender answer) {
    answer.item(process());
    answer.item(heap());
    answer.item(threads());
    stacks().forEach(answer::item);
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

  private record Pool(String name, long used, long committed, long most) {}

  private record Collector(String name, long runs, long ms) {}

  private static JsonObject heap() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    List<Pool> pools = new ArrayList<>();
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage usage = pool.getUsage();
      if (usage != null) {
        pools.add(new Pool(pool.getName(), usage.getUsed(), usage.getCommitted(), usage.getMax()));
      }
    }
    List<Collector> collectors =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(bean ->
                new Collector(bean.getName(), bean.getCollectionCount(), bean.getCollectionTime()))
            .toList();
    return JsonValue.object()
        .put("part", "heap")
        .put("used", heap.getUsed())
        .put("committed", heap.getCommitted())
        .put("most", heap.getMax())
        .put("pools", JsonRecords.ofAll(pools))
        .put("collectors", JsonRecords.ofAll(collectors))
        .build();
  }

  /** Platform threads; sessions have virtual ones, which `sessions` counts. */
  private static JsonObject threads() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    Map<String, Long> states = new TreeMap<>();
    for (ThreadInfo thread : infos(bean, 0)) {
      states.merge(thread.getThreadState().name(), 1L, Long::sum);
    }
    JsonValue.ObjectBuilder byState = JsonValue.object();
    states.forEach(byState::put);
    long @Nullable [] stuck = bean.findDeadlockedThreads();
    return JsonValue.object()
        .put("part", "threads")
        .put("live", bean.getThreadCount())
        .put("peak", bean.getPeakThreadCount())
        .put("deadlocked", stuck == null ? 0 : stuck.length)
        .put("states", byState.build())
        .build();
  }

  private static List<ThreadInfo> infos(ThreadMXBean bean, int frames) {
    @Nullable ThreadInfo[] infos = bean.getThreadInfo(bean.getAllThreadIds(), frames);
    List<ThreadInfo> alive = new ArrayList<>();
    for (@Nullable ThreadInfo info : infos) {
      if (info != null) {
        alive.add(info);
      }
    }
    return alive;
  }

  private record Stack(String part, String name, String state, List<String> frames) {}

  private static List<Stack> stacks() {
    return infos(ManagementFactory.getThreadMXBean(), MOST_FRAMES).stream()
        .limit(MOST_THREADS)
        .map(thread ->
            new Stack(
                "thread",
                thread.getThreadName(),
                thread.getThreadState().name(),
                Arrays.stream(thread.getStackTrace()).map(SupportHandler::frame).toList()))
        .toList();
  }

  /**
   * A step of a stack trace without the module and its version, which say nothing and look like a
   * mail address.
   */
  private static String frame(StackTraceElement step) {
    return step.getClassName() + "." + step.getMethodName() + ":" + step.getLineNumber();
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
