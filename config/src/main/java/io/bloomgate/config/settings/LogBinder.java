package io.bloomgate.config.settings;

import io.bloomgate.config.settings.LogSettings.Format;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.LogSettings.Target;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The section {@code log}. Pure. */
final class LogBinder {

  private static final String FILE_PREFIX = "file:";

  /** What stands in one word before {@code [pid]:} and is read back by every syslog reader. */
  private static final Pattern TAG = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,63}");

  private LogBinder() {}

  static LogSettings bind(Section s, Path base) {
    return new LogSettings(
        s.value("format", "postfix", Words.dashed(Format.class)),
        s.value("target", "stdout", target(base)),
        s.value("tag", "postfix/bloomgate/smtpd", LogBinder::tag),
        s.value("privacy", "full", Words.underscored(Privacy.class)),
        s.value("retain_incidents", "30d", Values.duration("1h", "3650d")),
        s.value("max_incidents", "200000", Values.integer(1, 100_000_000)));
  }

  private static String tag(String text) throws BadValueException {
    if (TAG.matcher(text).matches()) {
      return text;
    }
    throw new BadValueException(
        Shown.quoted(text) + " is no syslog tag",
        "write up to 64 letters, digits and . _ / -, for example postfix/smtpd");
  }

  private static ValueReader<Target> target(Path base) {
    return text -> {
      if (text.equals("stdout")) {
        return new Target.Stdout();
      }
      if (text.startsWith(FILE_PREFIX)) {
        return new Target.File(Values.path(base).read(text.substring(FILE_PREFIX.length())));
      }
      if (text.equals("syslog") || text.equals("journald")) {
        throw new BadValueException(
            Shown.quoted(text) + " is not in this release",
            "write stdout, the service manager takes it from there, or file:PATH");
      }
      throw new BadValueException(
          Shown.quoted(text) + " is no log target", "write stdout or file:PATH");
    };
  }
}
