package io.bloomgate.cli.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Standard output, with the reason why an answer is not complete. After the first failure nothing
 * more is written, so that the output is the beginning of the answer without gaps. One thread.
 */
public final class AnswerStream extends PrintStream {

  /** A link by which Linux names standard output; elsewhere there is no such link. */
  private static final Path LINK = Path.of("/proc/self/fd/1");

  private final Sink sink;

  /** True when writing can fail only because the reader went away. */
  private final boolean pipe;

  private AnswerStream(Sink sink, boolean pipe) {
    super(sink, true, StandardCharsets.UTF_8);
    this.sink = sink;
    this.pipe = pipe;
  }

  /** The stream of this process. */
  public static AnswerStream standardOutput() {
    return new AnswerStream(new Sink(new FileOutputStream(FileDescriptor.out)), isPipe());
  }

  /** Answers go to that stream; its first exception is kept for {@link #failure}. */
  public static AnswerStream to(OutputStream stream) {
    return new AnswerStream(new Sink(stream), false);
  }

  private static boolean isPipe() {
    try {
      String target = Files.readSymbolicLink(LINK).toString();
      return target.startsWith("pipe:") || target.startsWith("socket:");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** False when nothing more can be written: before {@code | head}, or on a full disk. */
  boolean isRead() {
    return sink.failure == null;
  }

  /**
   * The reason why the answer is not complete; empty when it is, or when its reader stopped
   * reading.
   */
  public Optional<String> failure() {
    IOException failure = sink.failure;
    if (failure == null || pipe) {
      return Optional.empty();
    }
    // In the user's language; most of them contain `pipe`.
    String reason = String.valueOf(failure.getMessage());
    return reason.toLowerCase(Locale.ROOT).contains("pipe")
        ? Optional.empty()
        : Optional.of(reason);
  }

  /** Remembers the first failure, which {@link PrintStream} would swallow. */
  private static final class Sink extends OutputStream {
    private final OutputStream to;
    private @Nullable IOException failure;

    Sink(OutputStream to) {
      this.to = to;
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
      if (failure != null) {
        return;
      }
      try {
        to.write(octets, offset, length);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public void flush() throws IOException {
      if (failure != null) {
        return;
      }
      try {
        to.flush();
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }
}
