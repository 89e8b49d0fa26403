/**
 * Sessions that were kept, in one SQLite file a day: {@link
 * io.bloomgate.blocklists.sessions.DayWriter} writes the newest, {@link
 * io.bloomgate.blocklists.sessions.SessionDays} is the directory of all, {@link
 * io.bloomgate.blocklists.sessions.SessionSearch} answers questions.
 *
 * <p>The gateway writes with one thread; commands read with connections for each question, in the
 * gateway and in the command line. Reading changes nothing.
 */
@NullMarked
package io.bloomgate.blocklists.sessions;

import org.jspecify.annotations.NullMarked;
