package io.bloomgate.architecture.broken.blocklists;

import io.bloomgate.architecture.broken.cli.OpensSessions;
import java.sql.Connection;

/** Breaks: blocklists know only config; JDBC is used in blocklists.operator only. */
public record KnowsCli(OpensSessions cli, Connection connection) {}
