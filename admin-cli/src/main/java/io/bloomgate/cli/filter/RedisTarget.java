package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.fleet.RedisKey;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.config.settings.BadValueException;

/** The address of a filter in Redis, as {@code filter push} and {@code query} take. */
final class RedisTarget {

  private RedisTarget() {}

  static RedisKey key(String text) throws CliException {
    try {
      return RedisKey.read(text);
    } catch (BadValueException e) {
      throw new CliException(ExitCode.USAGE, e.problem(), e.hint(), e);
    }
  }
}
