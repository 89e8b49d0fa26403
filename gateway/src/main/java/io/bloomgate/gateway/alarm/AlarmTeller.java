package io.bloomgate.gateway.alarm;

import io.bloomgate.config.settings.AlarmSettings;

/** A way in which alarms reach people. Blocks within a limit of time. */
interface AlarmTeller {

  /** The word for the way: {@code mail} or {@code url}. */
  String word();

  /** Who is told by these settings, for people; empty for nobody. */
  String recipient(AlarmSettings settings);

  /**
   * Tells it.
   *
   * @return what the other side answered, for people
   */
  String tell(AlarmNotice notice, AlarmSettings settings) throws NotToldException;

  /** The notice did not arrive; the message is the reason, for people. */
  final class NotToldException extends Exception {
    private static final long serialVersionUID = 1L;

    NotToldException(String reason) {
      super(reason);
    }

    NotToldException(String reason, Throwable cause) {
      super(reason, cause);
    }
  }
}
