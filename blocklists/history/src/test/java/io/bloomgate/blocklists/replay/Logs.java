package io.bloomgate.blocklists.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.impact.PastSession;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Log files of a test, and what is read of them. */
final class Logs {

  static final Instant WRITTEN = Instant.parse("2026-11-21T12:00:00Z");

  private final Path folder;
  private final List<Path> files = new ArrayList<>();

  Logs(Path folder) {
    this.folder = folder;
  }

  /** A plain file, written last at {@link #WRITTEN}. */
  Logs file(String name, String text) throws IOException {
    return octets(name, text.getBytes(UTF_8));
  }

  Logs octets(String name, byte[] octets) throws IOException {
    Path file = Files.write(folder.resolve(name), octets);
    Files.setLastModifiedTime(file, FileTime.from(WRITTEN));
    files.add(file);
    return this;
  }

  static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return packed.toByteArray();
  }

  /** What was read, sessions by time. */
  record Read(List<PastSession> sessions, LogReplay replay) {

    /** Client, HELO, sender, recipient, outcome and lists of each session. */
    List<String> lines() {
      return sessions.stream().map(Logs::shown).toList();
    }
  }

  Read read() {
    return read(Instant.EPOCH);
  }

  Read read(Instant since) {
    LogReplay replay = new LogReplay(files, since, WRITTEN, ZoneOffset.UTC);
    List<PastSession> sessions = new ArrayList<>();
    replay.forEach(sessions::add);
    sessions.sort(Comparator.comparing(PastSession::at));
    return new Read(sessions, replay);
  }

  private static String shown(PastSession session) {
    var facts = session.facts();
    var to = facts.recipient();
    return String.join(
        " ",
        Arrays.asList(
            facts.client().toString(),
            String.valueOf(facts.helo()),
            facts.sender().isEmpty()
                ? String.valueOf(facts.senderDomain())
                : facts.sender().getFirst().toString(),
            to == null ? "-" : to.localPart(),
            session.outcome().toString(),
            String.join(",", session.lists())));
  }
}
