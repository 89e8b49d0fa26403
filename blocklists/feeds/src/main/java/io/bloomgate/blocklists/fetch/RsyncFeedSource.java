package io.bloomgate.blocklists.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.Octets;
import io.bloomgate.config.settings.FeedUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A feed by rsync: the rsync program copies one file from the server that the settings name. It
 * gets the address and nothing else: its environment is empty, no link or device is copied, and it
 * is ended when it takes too long, makes no progress or writes too much. Made by {@link
 * FeedSources}; a fetch blocks its thread.
 *
 * @param limit time for the whole fetch
 * @param running has the program while it runs, so that a shutdown can end it
 */
record RsyncFeedSource(FeedUrl url, LongSupplier nanoTime, Duration limit, Set<Process> running)
    implements FeedSource {

  /** The interval at which time and size are checked. */
  private static final Duration LOOK = Duration.ofMillis(200);

  /** The most output of the program and the server, in octets; more ends the fetch. */
  private static final int MOST_SAID = 1 << 16;

  /** The part of that output in a message, in characters. */
  private static final int SHOWN = 200;

  /** Time to open a connection; the rest of the time is shared with the transfer. */
  private static final Duration CONNECT_TIME = FeedLimits.CONNECT_TIME;

  @Override
  public String shown() {
    return url.shown();
  }

  @Override
  public FetchResult fetch(Validators known, Path directory) {
    Path part = directory.resolve(FileFeedSource.partName(0));
    try {
      boolean asked = placeholder(known, part);
      Object before = asked ? key(part) : null;
      String problem = run(directory, part);
      if (!problem.isEmpty()) {
        return failed(problem);
      }
      if (!Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
        return failed(
            "there is no regular file of at most 1 GiB; links and directories are not followed");
      }
      if (asked && key(part).equals(before)) {
        return new FetchResult.NotModified();
      }
      BasicFileAttributes now = Files.readAttributes(part, BasicFileAttributes.class);
      String state = now.size() + " " + now.lastModifiedTime().toMillis();
      return new FetchResult.Fetched(
          new FeedContent(List.of(part)), new Validators(Map.of(), "", state, shown()));
    } catch (IOException e) {
      return FetchResult.Failed.of(
          shown() + ": cannot be stored; check space and owner of the state directory",
          shown() + ": " + Octets.escape(e.toString()));
    }
  }

  private FetchResult failed(String why) {
    String message = shown() + ": " + why;
    return FetchResult.Failed.of(message);
  }

  /**
   * An empty file of the size and time of the stored version: rsync copies nothing when the
   * server's file has the same, and replaces this one by another file when it has not. That saves a
   * second visit only to look.
   */
  private static boolean placeholder(Validators known, Path part) throws IOException {
    String[] state = known.files().split(" ", -1);
    if (state.length != 2 || !known.files().matches("[0-9]{1,12} [0-9]{1,15}")) {
      return false;
    }
    try (RandomAccessFile empty = new RandomAccessFile(part.toFile(), "rw")) {
      empty.setLength(Long.parseLong(state[0]));
    }
    Files.setLastModifiedTime(part, FileTime.fromMillis(Long.parseLong(state[1])));
    return true;
  }

  private static Object key(Path file) throws IOException {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    return key == null ? file : key;
  }

  /** Runs the program; the problem, empty when it did what it should. */
  private String run(Path directory, Path part) throws IOException {
    Path said = directory.resolve("rsync.out");
    ProcessBuilder builder =
        new ProcessBuilder(
            "rsync",
            "--times",
            "--whole-file",
            "--no-links",
            "--no-motd",
            "--max-size=" + FeedLimits.FETCHED_OCTETS,
            "--timeout=" + FeedLimits.SILENCE_TIME.toSeconds(),
            "--contimeout=" + CONNECT_TIME.toSeconds(),
            "--",
            url.text(),
            part.toString());
    builder.redirectErrorStream(true);
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectOutput(said.toFile());
    // RSYNC_PROXY, RSYNC_RSH and RSYNC_CONNECT_PROG would make it run or ask something else.
    builder.environment().clear();
    // Without one it would ask for a password at the terminal.
    builder.environment().put("RSYNC_PASSWORD", "none");
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return "the rsync program cannot be run; install it, for example `apt install rsync`";
    }
    running.add(process);
    try {
      return await(process, directory, said);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "the fetch was ended";
    } finally {
      end(process);
      running.remove(process);
      Files.deleteIfExists(said);
    }
  }

  private String await(Process process, Path directory, Path said)
      throws InterruptedException, IOException {
    long began = nanoTime.getAsLong();
    while (!process.waitFor(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
      if (nanoTime.getAsLong() - began > limit.toNanos()) {
        return "not there after " + limit.toSeconds() + " s; it is tried again later";
      }
      if (Files.size(said) > MOST_SAID) {
        return "the server says more than " + (MOST_SAID >> 10) + " KiB";
      }
      if (octets(directory) > FeedLimits.FETCHED_OCTETS) {
        return "larger than 1 GiB; split the feed";
      }
    }
    return process.exitValue() == 0 ? "" : problem(process.exitValue(), said);
  }

  /** The octets that were written to the disk; a placeholder has a size and takes no space. */
  private static long octets(Path directory) throws IOException {
    long octets = 0;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith(".")).toList()) {
        octets += size(file);
      }
    }
    return octets;
  }

  /**
   * The size of a file, in octets; 0 when the program has renamed it, which it may do at any time
   * and which ends the transfer.
   */
  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** EXIT VALUES of rsync(1), in words that say what to do. */
  private static String problem(int exit, Path said) throws IOException {
    String why =
        switch (exit) {
          case 5 -> "the server refused";
          case 10 -> "no connection";
          case 23, 24 -> "there is no such file, or it may not be read";
          case 30 -> "the server was silent for too long";
          case 35 -> "no connection in time";
          default -> "rsync failed (" + exit + ")";
        };
    String line = firstLine(said);
    return why + (line.isEmpty() ? "" : ": " + line);
  }

  /** The server's reason where it gave one. */
  private static String firstLine(Path said) throws IOException {
    String text;
    try (InputStream in = Files.newInputStream(said)) {
      text = new String(in.readNBytes(MOST_SAID), UTF_8);
    }
    String line =
        text.lines()
            .filter(each -> each.startsWith("@ERROR"))
            .findFirst()
            .orElse(text.lines().filter(each -> !each.isBlank()).findFirst().orElse(""));
    String shown = Octets.escape(line);
    return shown.length() > SHOWN ? shown.substring(0, SHOWN) + "..." : shown;
  }

  /** Ends the program and what it began. */
  static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
