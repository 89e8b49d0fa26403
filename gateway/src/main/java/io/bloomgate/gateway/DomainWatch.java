package io.bloomgate.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.DomainFile;
import io.bloomgate.config.settings.DomainSources;
import io.bloomgate.gateway.status.GatewayStatus.Trouble;
import io.bloomgate.gateway.tls.SettledFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the files of {@code domains} again when they change, and keeps the names that count in the
 * state directory, for a start that finds a broken file. Called by a chore of the housekeeping,
 * which may block; one thread.
 */
final class DomainWatch {

  private static final Logger LOG = LoggerFactory.getLogger(DomainWatch.class);

  /** Names that the log names of each change. */
  private static final int MAX_LOGGED = 5;

  private final LiveSettings live;
  private final Path file;
  private final Map<String, SettledFiles> seen = new HashMap<>();
  private @Nullable String kept;
  private boolean failed;

  /**
   * Has looked at nothing yet.
   *
   * @param file keeps the names
   */
  DomainWatch(LiveSettings live, Path file) {
    this.live = live;
    this.file = file;
  }

  /** Looks at the files; to be called each second. */
  void poll() {
    DomainSources before = live.settings().domainSources();
    List<DomainFile> fresh = new ArrayList<>();
    for (DomainFile one : before.files()) {
      boolean changed =
          seen.computeIfAbsent(one.element(), _ -> new SettledFiles()).changed(List.of(one.path()));
      fresh.add(changed ? one.again() : one);
    }
    if (!fresh.equals(before.files())) {
      DomainSources now = new DomainSources(before.named(), fresh);
      live.use(before, now);
      report(before, now);
    }
    keep(live.settings().domainSources().files());
  }

  private static void report(DomainSources before, DomainSources now) {
    Set<String> added = new HashSet<>(now.all());
    before.all().forEach(added::remove);
    Set<String> removed = new HashSet<>(before.all());
    now.all().forEach(removed::remove);
    if (!added.isEmpty() || !removed.isEmpty()) {
      LOG.info("{}; new: {}; no more: {}", now.summary(), some(added), some(removed));
    }
    now.files().stream()
        .filter(one -> !before.files().contains(one) && !one.problem().isEmpty())
        .forEach(one -> LOG.error("{}", trouble(one).sentence()));
  }

  private static String some(Set<String> names) {
    int more = names.size() - MAX_LOGGED;
    String some = String.join(", ", names.stream().sorted().limit(MAX_LOGGED).toList());
    return names.isEmpty() ? "none" : more > 0 ? some + " and " + more + " more" : some;
  }

  private void keep(List<DomainFile> files) {
    String text = DomainSources.kept(files);
    if (text.equals(kept) || (text.isEmpty() && Files.notExists(file))) {
      return;
    }
    try {
      DurableFiles.replace(file, text.getBytes(UTF_8));
      kept = text;
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        LOG.warn(
            "{} cannot be written; a start needs the files of `domains` until it can: {}",
            file,
            Faults.reason(e));
      }
      failed = true;
    }
  }

  /** Returns what the administrator has to see to. */
  static List<Trouble> troubles(DomainSources sources) {
    return sources.files().stream()
        .filter(file -> !file.problem().isEmpty())
        .map(DomainWatch::trouble)
        .toList();
  }

  private static Trouble trouble(DomainFile file) {
    return new Trouble(!file.held().isEmpty(), file.problem(), file.fix());
  }
}
