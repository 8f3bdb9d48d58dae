"""Routes of the pages of battles and odds."""

from django.urls import path

from battles.live import urls as live
from battles.pair import urls as pair
from battles.solo import urls as solo
from battles.views import battle, home, matrices, setups
from battles.views import odds as forks
from battles.views import searches as builds

app_name = "battles"

urlpatterns = [
    path("try/", home.try_battle, name="try"),
    path("battles/", home.battle_list, name="battles"),
    path("battles/new/", setups.quick_battle, name="quick"),
    path("battles/new/part/", setups.quick_part, name="quick-part"),
    path("battles/new/ready/", setups.ready_battle, name="ready"),
    path("battles/log/", setups.log_battle, name="log"),
    path("battles/check/", home.ask_for_check, name="check"),
    path("battles/check/<uuid:key>/", home.show_check, name="check-answer"),
    path("battles/check/<uuid:key>/progress/", home.check_progress, name="check-progress"),
    path("battles/<uuid:key>/check/", home.check_battle, name="check-battle"),
    path("battles/<uuid:key>/", battle.show_battle, name="battle"),
    path("battles/<uuid:key>/progress/", battle.battle_progress, name="battle-progress"),
    path("battles/<uuid:key>/record.jsonl", battle.download_record, name="record"),
    path("battles/<uuid:key>/frames.json", battle.battle_frames, name="frames"),
    path("battles/<uuid:key>/picture.png", battle.battle_picture, name="battle_picture"),
    path("battles/<uuid:key>/embed/", battle.embed_battle, name="embed"),
    path("battles/<uuid:key>/moment.svg", battle.step_picture, name="moment"),
    path("battles/<uuid:key>/report.txt", battle.download_report, name="report"),
    path("battles/<uuid:key>/again/", battle.repeat_battle, name="again"),
    path("battles/<uuid:key>/odds/", battle.ask_for_odds, name="battle-odds"),
    path("battles/<uuid:key>/call-off/", battle.call_off_battle, name="battle-call-off"),
    path("battles/<uuid:key>/curve/", battle.show_curve, name="curve"),
    path("battles/<uuid:key>/curve/progress/", battle.curve_progress, name="curve-progress"),
    path("battles/<uuid:key>/otherwise/", forks.ask_for_fork, name="otherwise"),
    path("odds/otherwise/<uuid:key>/", forks.show_fork, name="fork"),
    path("odds/otherwise/<uuid:key>/again/", forks.repeat_fork, name="fork-again"),
    path("odds/otherwise/<uuid:key>/progress/", forks.fork_progress, name="fork-progress"),
    path("battles/<uuid:key>/print/", battle.print_packet, name="print-packet"),
    path("battles/<uuid:key>/effects/", battle.write_effects, name="effects"),
    path("odds/<uuid:key>/", forks.show_forecast, name="forecast"),
    path("odds/<uuid:key>/progress/", forks.forecast_progress, name="forecast-progress"),
    path("odds/<uuid:key>/fight/", forks.simulate_battle, name="forecast-fight"),
    path("odds/<uuid:key>/again/", forks.repeat_forecast, name="forecast-again"),
    path("odds/<uuid:key>/call-off/", forks.call_off_forecast, name="forecast-call-off"),
    path("odds/<uuid:key>/what-if/", forks.ask_for_what_if, name="what-if"),
    path("odds/what-if/<uuid:key>/", forks.show_what_if, name="what-if-answer"),
    path("odds/what-if/<uuid:key>/again/", forks.repeat_what_if, name="what-if-again"),
    path("odds/what-if/<uuid:key>/progress/", forks.what_if_progress, name="what-if-progress"),
    path("odds/<uuid:key>/what-if/best/", builds.ask_for_best_change, name="best-change-ask"),
    path("odds/what-if/best/<uuid:key>/", builds.show_best_change, name="best-change"),
    path("odds/what-if/best/<uuid:key>/again/", builds.repeat_best_change, name="best-change-again"),
    path("odds/what-if/best/<uuid:key>/progress/", builds.best_change_progress, name="best-change-progress"),
    path("odds/<uuid:key>/best/", builds.ask_for_best_answer, name="best"),
    path("odds/best/<uuid:key>/", builds.show_best_answer, name="best-answer"),
    path("odds/best/<uuid:key>/again/", builds.repeat_best_answer, name="best-answer-again"),
    path("odds/best/<uuid:key>/progress/", builds.best_answer_progress, name="best-answer-progress"),
    path("odds/<uuid:key>/best/build/", builds.ask_for_unit_build, name="best-build-of-unit"),
    path("odds/build/", builds.ask_for_best_build, name="best-builds"),
    path("odds/build/<uuid:key>/", builds.show_best_build, name="best-build"),
    path("odds/build/<uuid:key>/again/", builds.repeat_best_build, name="best-build-again"),
    path("odds/build/<uuid:key>/progress/", builds.best_build_progress, name="best-build-progress"),
    path("battles/chance/", setups.random_forces_page, name="chance"),
    path("odds/trial/", matrices.ask_for_trial, name="trials"),
    path("odds/trial/<uuid:key>/", matrices.show_trial, name="trial"),
    path("odds/trial/<uuid:key>/again/", matrices.repeat_trial, name="trial-again"),
    path("odds/trial/<uuid:key>/progress/", matrices.trial_progress, name="trial-progress"),
    *live.urlpatterns,
    *solo.urlpatterns,
    *pair.urlpatterns,
    path("odds/matrix/", matrices.ask_for_matrix, name="matrices"),
    path("odds/matrix/<uuid:key>/", matrices.show_matrix, name="matrix"),
    path("odds/matrix/<uuid:key>/again/", matrices.repeat_matrix, name="matrix-again"),
    path("odds/matrix/<uuid:key>/progress/", matrices.matrix_progress, name="matrix-progress"),
]
