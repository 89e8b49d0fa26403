package io.bloomgate.blocklists.replay;

import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSessions;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Logs of mail servers as past sessions, the oldest file first, whatever their order. A file that
 * cannot be read to its end counts as far as it was read. Used by {@code replay}, on one thread.
 */
public final class LogReplay implements PastSessions {

  /** The time that the clock of another host, or a zone that was guessed, may be ahead. */
  static final Duration AHEAD = Duration.ofDays(1);

  private final List<Path> paths;
  private final Instant since;
  private final Instant now;
  private final ZoneId zone;
  private List<FileSummary> files = List.of();
  private long givenUp;
  private long withoutClient;
  private long mails;
  private long ofFuture;
  private long tooOld;

  /**
   * A summary of what was read of one file.
   *
   * @param format {@code null} when it is empty, or no log that is known
   * @param understood of the lines, or of the rows of a history
   * @param notUnderstood the first lines that were not understood, as examples
   * @param problem why the rest was not read; empty when all was
   */
  public record FileSummary(
      Path path,
      @Nullable LogFormat format,
      long lines,
      long understood,
      List<String> notUnderstood,
      String problem) {}

  /**
   * Reads nothing yet.
   *
   * @param since earlier sessions are left out
   * @param now sessions more than {@link #AHEAD} later are left out
   * @param zone of times that name none
   */
  public LogReplay(List<Path> paths, Instant since, Instant now, ZoneId zone) {
    this.paths = List.copyOf(paths);
    this.since = since;
    this.now = now;
    this.zone = zone;
  }

  /** The files, the oldest first; empty before they were read. */
  public List<FileSummary> files() {
    return files;
  }

  /** Mails that were open when too many were, or whose connection has no end: not counted. */
  public long givenUp() {
    return givenUp;
  }

  /** Mails of this server's own users, of the server itself, or without a client's address. */
  public long withoutClient() {
    return withoutClient;
  }

  /** Mails whose time is in the future: the clock was wrong, or somebody wrote that row. */
  public long ofFuture() {
    return ofFuture;
  }

  /** Mails that were understood, with those that are left out. */
  public long mails() {
    return mails;
  }

  /** Mails before the time from which on sessions count. */
  public long tooOld() {
    return tooOld;
  }

  @Override
  public void forEach(Consumer<? super PastSession> consumer) {
    List<FileSummary> read = new ArrayList<>();
    List<LogFile> logs = new ArrayList<>();
    for (Path path : paths) {
      try {
        LogFile log = LogFile.look(path, zone);
        if (log.format() == null) {
          read.add(new FileSummary(path, null, 0, 0, log.notUnderstood(), log.reason()));
        } else {
          logs.add(log);
        }
      } catch (IOException e) {
        read.add(new FileSummary(path, null, 0, 0, List.of(), Faults.words(e)));
      }
    }
    logs.sort(Comparator.comparing(LogFile::begin));
    mails = 0;
    withoutClient = 0;
    ofFuture = 0;
    tooOld = 0;
    Consumer<LoggedMail> sink = mail -> take(mail, consumer);
    Map<LogFormat, LogParser> parsers = new EnumMap<>(LogFormat.class);
    for (LogFile log : logs) {
      read.add(new Reading(log, sink, parsers).run());
    }
    parsers.values().forEach(LogParser::end);
    givenUp = parsers.values().stream().mapToLong(parser -> parser.givenUp).sum();
    files = List.copyOf(read);
  }

  private void take(LoggedMail mail, Consumer<? super PastSession> consumer) {
    mails++;
    if (mail.at.isBefore(since)) {
      tooOld++;
      return;
    }
    if (mail.at.isAfter(now.plus(AHEAD))) {
      ofFuture++;
      return;
    }
    mail.session().ifPresentOrElse(consumer, () -> withoutClient++);
  }

  /** The reading of one file. */
  private static final class Reading {
    private final LogFile log;
    private final LogFormat format;
    private final LogParser parser;
    private final List<String> notUnderstood = new ArrayList<>();
    private long lines;
    private long understood;
    private String problem = "";

    Reading(LogFile log, Consumer<LoggedMail> sink, Map<LogFormat, LogParser> parsers) {
      this.log = log;
      this.format = Objects.requireNonNull(log.format());
      this.parser = parsers.computeIfAbsent(format, f -> f.parser(sink));
    }

    FileSummary run() {
      try (LogLines text = LogLines.open(log.path(), log.layout())) {
        for (String line = text.next(); line != null; line = text.next()) {
          lines++;
          if (isRead(line) && parser.line(JsonLine.unwrap(line), log.clock())) {
            understood++;
          } else {
            LogText.example(notUnderstood, line);
          }
        }
        if (!text.problem().isEmpty()) {
          problem = "read up to line " + lines + ": " + text.problem();
        }
      } catch (IOException e) {
        problem = "read up to line " + lines + ": " + Faults.words(e);
      } catch (JsonSyntaxException e) {
        problem = "line " + e.line() + ", column " + e.column() + ": " + e.reason();
      }
      return new FileSummary(log.path(), format, lines, understood, notUnderstood, problem);
    }

    private boolean isRead(String line) {
      return log.layout() != LogLines.Layout.LINES || line.length() <= LogLines.MAX_LINE;
    }
  }
}
