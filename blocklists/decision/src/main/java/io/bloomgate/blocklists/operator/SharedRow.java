package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.Parsed;
import java.time.Duration;
import java.util.Optional;

/**
 * The newest command about one thing that nodes of a fleet share, as {@link SharedTable} keeps it
 * and a field of Redis has it. Immutable.
 *
 * @param subject what it is about, as {@link NewEntry#identity} or {@link SharedCommand.Act#about}
 * @param version time of the command by the clock of Redis, and a number for ties; while it waits
 *     the time is that of this node
 * @param base the time of the command that it replaced: it is later, whatever clocks say
 * @param text of the {@link SharedCommand}
 */
public record SharedRow(String subject, StreamId version, long base, Send send, String text) {

  /** Says whether Redis has a command. */
  public enum Send {
    SENT(0),
    /** A command of this node; its version is made when it is sent. */
    WAITS(1),
    /** Redis has lost it, or has an older one; its version stays. */
    AGAIN(2);

    private final int number;

    Send(int number) {
      this.number = number;
    }

    /** The number in the table. */
    int number() {
      return number;
    }

    static Send of(int number) {
      return number == 0 ? SENT : number == 1 ? WAITS : AGAIN;
    }
  }

  /** Removals, and acts that end by themselves, are forgotten after this time. */
  private static final Duration KEEP = Duration.ofDays(30);

  /** The latest time that is believed: later commands still have room behind it. */
  private static final long MAX_MILLIS = 1L << 60;

  /** Reads a field of Redis; empty when it has no time of a command. */
  static Optional<SharedRow> parse(String subject, String value) {
    int space = value.indexOf(' ');
    return StreamId.parse(value.substring(0, Math.max(0, space)))
        .filter(version -> version.millis() <= MAX_MILLIS)
        .map(version -> new SharedRow(subject, version, 0, Send.SENT, value.substring(space + 1)));
  }

  /** The value of the field. */
  public String value() {
    return version + " " + text;
  }

  /** The same with another version. */
  public SharedRow with(StreamId other) {
    return new SharedRow(subject, other, base, send, text);
  }

  /** Reads the text; the reason says what is wrong and holds nothing of the text. */
  public Parsed<SharedCommand> command() {
    return SharedCommand.parse(subject, text);
  }

  /** True for what is forgotten everywhere. */
  boolean isOld(long redisMillis) {
    return redisMillis - version.millis() > KEEP.toMillis()
        && command()
            .toOptional()
            .filter(command -> command.removed() || SharedCommand.Act.isPart(subject))
            .isPresent();
  }
}
